import { ServiceError } from "../errors.ts";
import type { HttpResponse } from "../http/index.ts";
import { type BodyKind, bodyOf, type Sendable } from "./body.ts";
import { readSource } from "./check/source.ts";
import { isRecord, jsonOf } from "./json.ts";
import type { Improvement, ImproveRequest } from "./types.ts";

/** One picture for the training of the service, checked. @throws InputError as for a cut-out. */
export function improveBodyOf(
  request: ImproveRequest,
  { body, maxBytes }: { readonly body: BodyKind; readonly maxBytes: number },
): Sendable {
  const { imageFilename, tag } = request;
  const source = readSource(request, maxBytes);
  const given = [
    ["image_filename", imageFilename],
    ["tag", tag],
  ] as const;
  const fields = given.flatMap(([name, value]) => (value ? [[name, value] as const] : []));
  return bodyOf(body, { fields, source, name: imageFilename });
}

/** @throws ServiceError `unreadable_answer`, of a picture that may have been taken. */
export function improvementOf({ body }: HttpResponse): Improvement {
  const answer = jsonOf(body);
  if (isRecord(answer) && typeof answer.id === "string" && answer.id !== "") {
    return { id: answer.id };
  }
  throw new ServiceError("improve answered something without an id", {
    code: "unreadable_answer",
    hint: "The image service did not confirm the picture. It may have arrived all the same.",
    outcome: "unknown",
    facts: { service: "background" },
  });
}
