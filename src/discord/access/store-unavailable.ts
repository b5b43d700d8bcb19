import { ServiceError } from "../../errors.ts";
import type { Read } from "../../store/index.ts";

export function storeUnavailable(cause: unknown): ServiceError {
  return new ServiceError("the store can't be read", { code: "store_unavailable", cause });
}

/** What is stored; undefined where nothing is. @throws ServiceError `store_unavailable` */
export function storedIn<T>(read: Read<T>): T | undefined {
  if (read.state === "failed") throw storeUnavailable(read.error);
  return read.state === "found" ? read.value : undefined;
}
