import * as z from "zod";
import { isRecord } from "../../protocol/validate.ts";

/** A tool's parameters: as JSON Schema for the model, and as a check of what the model sent. */
export interface ToolInputSchema<Input = unknown> {
  /** JSON Schema (draft 7) of an object. */
  readonly json: Readonly<Record<string, unknown>>;
  parse(input: unknown): { ok: true; value: Input } | { ok: false; message: string };
}

/** The zod object is strict where the tool wants unknown parameters refused. */
export function zodInput<Input>(schema: z.ZodType<Input>): ToolInputSchema<Input> {
  let json: Record<string, unknown> | undefined;
  return {
    get json() {
      json ??= withoutSchemaUri(z.toJSONSchema(schema, { target: "draft-7", io: "input" }));
      return json;
    },
    parse(input) {
      const result = schema.safeParse(input);
      return result.success
        ? { ok: true, value: result.data }
        : { ok: false, message: z.prettifyError(result.error) };
    },
  };
}

/** For schemas that come from elsewhere (MCP servers, SDK users): the other side judges the details. */
export function jsonInput(json: Readonly<Record<string, unknown>>): ToolInputSchema<Record<string, unknown>> {
  return {
    json: withoutSchemaUri(json),
    parse: (input) =>
      isRecord(input)
        ? { ok: true, value: input }
        : { ok: false, message: "The parameters must be a JSON object." },
  };
}

/** Some model services refuse a schema that carries `$schema`. */
function withoutSchemaUri(json: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { $schema: _, ...rest } = json;
  return rest;
}
