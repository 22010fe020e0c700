/** Text that looks like a key of one of the known services, also where the service itself has masked a part of it. */
const keyLike =
  /\b(?:sk|pk|rk|gsk|xai|AIza|ghp|gho|github_pat)[-_][A-Za-z0-9_\-*]{8,}|(?<=\bBearer )[^\s"']{8,}/g;

/** The text without `secrets` and without what looks like a key: for messages, logs and transcripts. */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  return withoutSecrets(text, secrets).replace(keyLike, "[key]");
}

/** The text without exactly these values. Short ones are left alone: they would take ordinary words out. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  let result = text;
  for (const secret of secrets) {
    if (secret.length >= 6 && result.includes(secret)) result = result.replaceAll(secret, "[key]");
  }
  return result;
}
