/** What the hub of WebSub asks and tells behind a callback's path. Never throws. */
export interface Hub {
  /** Answers the hub's question whether a subscription is wanted: the challenge, or undefined for one nobody asked for. */
  verify(path: string, query: HubQuestion): Promise<string | undefined>;
  /**
   * Takes what the hub tells. `gone` where nobody wants to hear it any more, and `unread` where its body never came; all
   * else is `taken`, also what is not believed, so that nobody learns from the answer.
   */
  take(path: string, told: HubMessage): Promise<"taken" | "gone" | "unread">;
}

/** https://www.w3.org/TR/websub/#hub-verifies-intent */
export interface HubQuestion {
  readonly mode: string | undefined;
  readonly topic: string | undefined;
  readonly challenge: string | undefined;
  readonly leaseSeconds: string | undefined;
}

export interface HubMessage {
  /** As it stands in the header X-Hub-Signature. */
  readonly signature: string | undefined;
  /** Asked for only once the path is known; undefined where it was cut off or too long. */
  readonly readBody: () => Promise<Uint8Array | undefined>;
}
