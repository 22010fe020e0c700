import { isRecord } from "../../protocol/validate.ts";
import type { ModelFailure } from "./model.ts";
import { redactSecrets } from "./redactSecrets.ts";

/** What the texts name: nothing in it is secret. */
export interface ModelEndpoint {
  modelId: string;
  /** Absent for a model that is no HTTP service of ours. */
  baseURL?: string;
}

export interface ClassifiedFailure extends ModelFailure {
  /** Whether the same request may succeed a little later. */
  readonly retryable: boolean;
  /** What the service asks to wait, in milliseconds. */
  readonly retryAfterMs?: number;
}

/** The AI SDK's APICallError, by shape: an error may come from another copy of the package. */
interface HttpFailure {
  status: number;
  headers: Readonly<Record<string, string>>;
  serviceText: string;
}

const overflowPattern =
  /context.?length|maximum context|context.?window|context.?size|prompt is too long|too many (?:input )?tokens|input (?:is|length|tokens)[^.]*(?:too long|exceed)|exceeds?[^.]*(?:token limit|tokens? allowed|available context)|reduce the length/i;
const quotaPattern = /insufficient.?quota|quota|billing|credit|balance/i;

/** Any error of a model call as a failure: what happened and what to do, in words, without secrets. */
export function classifyFailure(
  error: unknown,
  endpoint: ModelEndpoint,
  secrets: readonly string[],
  now: number,
): ClassifiedFailure {
  const http = toHttpFailure(error);
  // A connection that breaks in the middle of an answer has both: a good status and the network's error.
  const isHttp = http && (http.status >= 400 || errorCode(error) === undefined);
  const judged = isHttp ? judgeHttp(http, endpoint, now) : judgeOther(error, endpoint);
  const message = redactSecrets(judged.message, secrets);
  const cause = new Error(message);
  if (error instanceof Error) cause.name = error.name;
  return { ...judged, message, cause };
}

type Judgement = Omit<ClassifiedFailure, "cause">;

function judgeHttp(http: HttpFailure, endpoint: ModelEndpoint, now: number): Judgement {
  const { status } = http;
  const where = endpoint.baseURL ? ` at ${endpoint.baseURL}` : "";
  const says = http.serviceText === "" ? "" : ` The service says: ${http.serviceText}`;
  if ([400, 413, 422, 500].includes(status) && overflowPattern.test(http.serviceText)) {
    return { kind: "contextOverflow", message: `${overflowText}${says}`, retryable: false };
  }
  if (status === 401 || status === 403) {
    const message = `The model service${where} refused the API key (HTTP ${status}). ${keyAdvice}${says}`;
    return { kind: "credentials", message, retryable: false };
  }
  if (status === 402 || (status === 429 && quotaPattern.test(http.serviceText))) {
    const message = `The model service${where} takes no more requests on this account (HTTP ${status}). Check its plan and balance.${says}`;
    return { kind: "rateLimit", message, retryable: false };
  }
  if (status === 429) {
    const after = retryAfter(http.headers, now);
    const message = `The model service${where} limits the rate of requests (HTTP 429). Wait a little and send the message again.${says}`;
    return {
      kind: "rateLimit",
      message,
      retryable: true,
      ...(after === undefined ? {} : { retryAfterMs: after }),
    };
  }
  if (status === 404) {
    const message = `The model "${endpoint.modelId}" or the address${endpoint.baseURL ? ` ${endpoint.baseURL}` : ""} does not exist (HTTP 404). Check the model's name and the base URL; most OpenAI-compatible services want one that ends in /v1.${says}`;
    return { kind: "notFound", message, retryable: false };
  }
  if (status >= 500 || status === 408 || status === 409) {
    const after = retryAfter(http.headers, now);
    const message = `The model service${where} has a problem of its own (HTTP ${status}). Send the message again later.${says}`;
    return {
      kind: "service",
      message,
      retryable: true,
      ...(after === undefined ? {} : { retryAfterMs: after }),
    };
  }
  if (status >= 400) {
    const message = `The model service${where} refused the request (HTTP ${status}).${says}`;
    return { kind: "badRequest", message, retryable: false };
  }
  const message = `The model service${where} gave an answer that cannot be read (HTTP ${status}). Check that the base URL is that of a model service.${says}`;
  return { kind: "service", message, retryable: false };
}

const overflowText = "The conversation no longer fits into the model's context.";
const keyAdvice =
  'Check the key: command "Wave Hooks: Set API Key" in VS Code, WAVE_API_KEY or the option apiKey elsewhere.';

function judgeOther(error: unknown, endpoint: ModelEndpoint): Judgement {
  const text = textOfError(error);
  const code = errorCode(error);
  const where = endpoint.baseURL ?? `the model ${endpoint.modelId}`;
  // vscode.LanguageModelError
  if (code === "NoPermissions") {
    const message =
      'VS Code has not been allowed to use this language model here. Send a message again and allow it, or see the command "Manage Language Model Access".';
    return { kind: "credentials", message, retryable: false };
  }
  if (code === "NotFound") {
    const message = `VS Code no longer offers the language model ${endpoint.modelId}. Choose another with "Wave Hooks: Select Model".`;
    return { kind: "notFound", message, retryable: false };
  }
  if (code === "Blocked") {
    return {
      kind: "badRequest",
      message: `The language model's provider blocked the request: ${text}`,
      retryable: false,
    };
  }
  if (overflowPattern.test(text))
    return { kind: "contextOverflow", message: `${overflowText} (${text})`, retryable: false };
  const network = code === undefined ? undefined : networkTexts[code];
  if (network !== undefined) {
    const message = `${network} (${where}, ${code}).`;
    return { kind: "unreachable", message, retryable: true };
  }
  if (code !== undefined && /CERT|TLS|SSL/.test(code)) {
    const message = `The certificate of ${where} is not trusted (${code}). Check the base URL; behind a company proxy, set NODE_EXTRA_CA_CERTS.`;
    return { kind: "unreachable", message, retryable: false };
  }
  if (isCutConnection(error, code)) {
    return {
      kind: "service",
      message: `The connection to ${where} broke off. Send the message again.`,
      retryable: true,
    };
  }
  return { kind: "unknown", message: `The model request failed: ${text}`, retryable: false };
}

const networkTexts: Readonly<Record<string, string>> = {
  ECONNREFUSED:
    "Nothing answers at the model service's address. Check that it runs and that the base URL is right",
  ENOTFOUND: "The model service's host name is not known. Check the base URL and the network",
  EAI_AGAIN: "The model service's host name could not be looked up. Check the network",
  EHOSTUNREACH: "The model service's host cannot be reached. Check the network",
  ENETUNREACH: "The network cannot be reached. Check the connection",
  ETIMEDOUT: "The model service did not answer in time. Check the network, or try again",
  UND_ERR_CONNECT_TIMEOUT: "The model service did not answer in time. Check the network, or try again",
  UND_ERR_HEADERS_TIMEOUT: "The model service did not answer in time. Check the network, or try again",
};

function isCutConnection(error: unknown, code: string | undefined): boolean {
  if (
    code !== undefined &&
    ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET", "UND_ERR_BODY_TIMEOUT", "STALLED"].includes(code)
  ) {
    return true;
  }
  return /terminated|socket hang up|fetch failed|other side closed|premature close|no answer/i.test(
    textOfError(error),
  );
}

/** Of the error or of what caused it: fetch hides the network's error two levels down. */
function errorCode(error: unknown): string | undefined {
  for (let current = error, depth = 0; isErrorLike(current) && depth < 5; current = current.cause, depth++) {
    if (typeof current.code === "string") return current.code;
    if (Array.isArray(current.errors) && current.errors.length > 0) return errorCode(current.errors[0]);
  }
  return undefined;
}

function isErrorLike(value: unknown): value is { code?: unknown; cause?: unknown; errors?: unknown } {
  return typeof value === "object" && value !== null;
}

function toHttpFailure(error: unknown): HttpFailure | undefined {
  for (let current = error, depth = 0; isErrorLike(current) && depth < 4; current = current.cause, depth++) {
    const { statusCode, responseHeaders, responseBody, data } = current as Record<string, unknown>;
    if (typeof statusCode !== "number") continue;
    const message = current instanceof Error ? current.message : "";
    return {
      status: statusCode,
      headers: isRecord(responseHeaders) ? (responseHeaders as Record<string, string>) : {},
      serviceText: bounded(serviceMessage(data) ?? serviceMessage(parsed(responseBody)) ?? message),
    };
  }
  return undefined;
}

/** `{error: {message}}`, `{error: "…"}`, `{message}`: how services word their errors. */
function serviceMessage(body: unknown): string | undefined {
  if (!isRecord(body)) return undefined;
  const { error } = body;
  if (isRecord(error) && typeof error.message === "string") return error.message;
  if (typeof error === "string") return error;
  return typeof body.message === "string" ? body.message : undefined;
}

function parsed(body: unknown): unknown {
  try {
    return typeof body === "string" ? JSON.parse(body) : body;
  } catch {
    return undefined;
  }
}

/** Errors in the middle of a stream come as whatever the service sent. */
function textOfError(error: unknown): string {
  if (error instanceof Error) return bounded(error.message);
  return bounded(
    serviceMessage(error) ?? (typeof error === "string" ? error : (JSON.stringify(error) ?? String(error))),
  );
}

function bounded(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 400 ? `${line.slice(0, 400)}…` : line;
}

/** `retry-after-ms`, `retry-after` in seconds or as a date: in milliseconds from now. */
function retryAfter(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const milliseconds = Number(headers["retry-after-ms"]);
  if (headers["retry-after-ms"] !== undefined && Number.isFinite(milliseconds))
    return Math.max(0, milliseconds);
  const value = headers["retry-after"];
  if (value === undefined) return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
