import type { Button, CardField, Text, Words } from "../../../discord/index.ts";
import type { MessageKey } from "../../../language/index.ts";
import type { Video } from "../../../video/index.ts";
import { presentFields } from "../../cards/index.ts";
import type { CategoryNames } from "../settings.ts";

export interface DetailsContext {
  readonly words: Words;
  readonly categories: CategoryNames;
}

/** One drawn page of details; it is empty if YouTube says nothing. */
export interface DrawnDetails {
  readonly text?: Text | undefined;
  readonly fields: readonly CardField[];
  readonly image?: string | undefined;
  readonly buttons?: readonly Button[];
}

export type DrawDetails = (video: Video, at: DetailsContext) => DrawnDetails;

type DetailsRow = readonly [name: MessageKey, value: Text | undefined];

/** A page that has only named values. */
export function drawDetailsRows(words: Words, rows: readonly DetailsRow[]): DrawnDetails {
  return { fields: presentFields(words, rows) };
}
