/** What befalls an upload at one byte of it, once. */
export interface Mishap {
  /** Strikes the request that carries this byte. */
  readonly at: number;
  /**
   * `cut`: the connection breaks at that byte. `lost`: the chunk is stored and the connection breaks before the answer,
   * the last one's too. `busy`: read to its end, nothing of it stored, answered 503.
   */
  readonly kind: "cut" | "lost" | "busy";
  /** Of what came before a cut: all of it, whole blocks of 256 KiB, or nothing of this request. */
  readonly keeps?: "all" | "blocks" | "nothing";
  /** The next question for the range gets no answer either. */
  readonly losesQuestion?: boolean;
}

/** What is sent to the service's process before an upload of this title. */
export interface UploadPlan {
  readonly title: string;
  readonly mishaps: readonly Mishap[];
  /** The session is made and its address lost on the way. */
  readonly losesStart?: boolean;
}

/** What became of an upload. */
export interface UploadReport {
  readonly title: string;
  /** How many videos of this title were made. */
  readonly videos: number;
  /** Hexadecimal SHA-256 of the last of them. */
  readonly hash: string;
  readonly sessions: number;
  /** Bytes that all requests together set out to send. */
  readonly offered: number;
  readonly largestChunk: number;
  readonly mishaps: number;
  /** Requests that broke the protocol: a gap, an overlap, a length that is no multiple of 256 KiB. */
  readonly wrong: number;
}
