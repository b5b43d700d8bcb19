/** What the client itself would not let a person do; the message is meant for them. */
export class ActError extends Error {
  override get name(): string {
    return "ActError";
  }
}
