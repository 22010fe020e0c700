/** One line of progress for the person at the terminal. @param {string} text */
export function say(text) {
  console.log(`> ${text}`);
}

/** A failure that the person can do something about: shown as one sentence, without a stack. */
export class PlainError extends Error {}
