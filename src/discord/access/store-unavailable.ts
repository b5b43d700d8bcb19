import { ServiceError } from "../../errors.ts";

export function storeUnavailable(cause: unknown): ServiceError {
  return new ServiceError("the store can't be read", {
    code: "store_unavailable",
    hint: "Your settings are safe. Try again in a minute; if it stays so, tell the people who run this bot.",
    cause,
  });
}
