import { expect, it } from "vitest";
import { passwordsOf } from "../../src/store/index.ts";

it.each([
  ["postgres://user:a%23b@host", ["a#b", "a%23b"]],
  ["postgres://user:50%off@host", ["50%off"]],
  ["postgres://host/db?password=of-the-query", ["of-the-query"]],
  ["postgres://host/db", []],
  ["sqlite:a:b@c", []],
])("the passwords in %s are told as they are written and as they are meant", (url, told) => {
  expect([...passwordsOf(url)].sort()).toEqual(told);
});
