/** What goes wrong once with an upload, at one of its bytes. */
export interface Mishap {
  /** The request that carries this byte fails. */
  readonly at: number;
  /**
   * `cut`: the connection breaks at that byte. `lost`: the chunk is stored and the connection breaks before the answer,
   * even the last one. `busy`: the chunk is read to its end, nothing is stored, and the answer is 503.
   */
  readonly kind: "cut" | "lost" | "busy";
  /** What is stored of the bytes before a cut: all of them, whole blocks of 256 KiB, or none of this request. */
  readonly keeps?: "all" | "blocks" | "nothing";
  /** The next request for the stored range gets no answer either. */
  readonly losesQuestion?: boolean;
}

/** Sent to the stand-in's process before an upload with this title. */
export interface UploadPlan {
  readonly title: string;
  readonly mishaps: readonly Mishap[];
  /** The session is created, but the answer with its address is lost. */
  readonly losesStart?: boolean;
}

/** How an upload went. */
export interface UploadReport {
  readonly title: string;
  /** How many videos with this title were made. */
  readonly videos: number;
  /** Hexadecimal SHA-256 of the last of these videos. */
  readonly hash: string;
  readonly sessions: number;
  /** Bytes that all requests together announced. */
  readonly offered: number;
  readonly largestChunk: number;
  readonly mishaps: number;
  /** Requests that broke the protocol: a gap, an overlap, or a length that is not a multiple of 256 KiB. */
  readonly wrong: number;
}
