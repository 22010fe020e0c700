/** A greeting for one person. */
export function greet(name) {
  return `Hello, ${name}!`;
}
