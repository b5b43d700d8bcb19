/** A page of a list. One call returns a batch of entries, which fill several pages. */
export interface BatchPage {
  /** Tokens of the batches up to this one; null is the first batch. */
  readonly tokens: readonly (string | null)[];
  /** Which page of the batch; its last page where it has fewer. */
  readonly chunk: number;
}

/** Stands for the last page of a batch, because no batch has as many. */
const lastChunk = 10_000;

interface BatchFacts {
  /** How many pages it fills. */
  readonly pages: number;
  readonly nextPageToken?: string | undefined;
}

/** An empty batch is a page too. */
export function pagesIn(entries: number, perPage: number): number {
  return Math.max(1, Math.ceil(entries / perPage));
}

/** The pages before and after one, where there are such pages. */
export function pagesBeside(
  { tokens, chunk }: BatchPage,
  { pages, nextPageToken }: BatchFacts,
): { readonly before: BatchPage | undefined; readonly after: BatchPage | undefined } {
  let before: BatchPage | undefined;
  if (chunk > 0) before = { tokens, chunk: chunk - 1 };
  else if (tokens.length > 1) before = { tokens: tokens.slice(0, -1), chunk: lastChunk };
  let after: BatchPage | undefined;
  if (chunk + 1 < pages) after = { tokens, chunk: chunk + 1 };
  else if (nextPageToken !== undefined) after = { tokens: [...tokens, nextPageToken], chunk: 0 };
  return { before, after };
}
