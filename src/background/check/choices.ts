import { refusal } from "../refusal.ts";
import {
  channels,
  foregroundTypes,
  formats,
  type RemoveBackgroundRequest,
  sizes,
  typeLevels,
} from "../types.ts";

/** What the types promise; a command's options come from outside all the same. */
export function checkChoices(request: RemoveBackgroundRequest): void {
  const { size, format, type, typeLevel, semitransparency } = request;
  if (!isOf(sizes, size)) throw refusal("invalid_size", `size ${shown(size)}`);
  if (!isOf(formats, format)) throw refusal("invalid_format", `format ${shown(format)}`);
  if (!isOf(foregroundTypes, type)) throw refusal("invalid_type", `type ${shown(type)}`);
  if (!isOf(typeLevels, typeLevel)) {
    throw refusal("invalid_type_level", `type_level ${shown(typeLevel)}`);
  }
  if (!isOf(channels, request.channels)) {
    throw refusal("invalid_channels", `channels ${shown(request.channels)}`);
  }
  if (!isOf([true, false], semitransparency)) {
    throw refusal("invalid_semitransparency", `semitransparency ${shown(semitransparency)}`);
  }
}

function isOf(allowed: readonly unknown[], value: unknown): boolean {
  return value === undefined || allowed.includes(value);
}

/** For the log: short, whatever it was. */
export function shown(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 80) ?? typeof value;
}
