import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { registry, toJSONSchema, type ZodType } from "zod";
import type { RestExchange } from "../../src/sandbox/platform/index.ts";
import {
  type documented,
  eventParts,
  interactionParts,
  missingFields,
  readyParts,
} from "./discord-gateway.ts";
import { type Operation, operationOf } from "./discord-operations.ts";
import { ownRules } from "./discord-own-rules.ts";

/**
 * Checks traffic against Discord's own published specification. The package contains it as zod schemas; converted to
 * JSON Schema, they also reject fields that the specification does not know.
 */

const keptFields: readonly string[] =
  "attachment name size url proxyURL height width contentType ephemeral duration waveform title flags spoiler".split(
    " ",
  );

/** Where the specification differs from the API as documented; each difference is accepted, with its reason. */
export const knownGaps: readonly {
  readonly reason: string;
  readonly fits: (gap: Gap) => boolean;
}[] = [
  {
    reason:
      "codes inside `errors` are words, such as BASE_TYPE_REQUIRED; the specification calls them numbers",
    fits: ({ schema, at }) => schema === "ErrorResponse" && at.startsWith("/errors"),
  },
  {
    reason:
      "default_member_permissions is a string of a bit set; the request schema calls it a number",
    fits: ({ at }) => /(^|\/)default_member_permissions$/.test(at),
  },
  {
    reason:
      "discord.js sends tts, nonce and enforce_nonce with every message; Discord ignores them where they mean nothing",
    fits: ({ field }) => ["tts", "nonce", "enforce_nonce"].includes(field ?? ""),
  },
  {
    reason:
      "a new post comes with its first message, as the documentation says; the specification forgets it",
    fits: ({ schema, at, field }) =>
      schema === "CreatedThreadResponse" && at === "" && field === "message",
  },
  {
    reason: "discord.js names a file that stays in a message by its own whole object",
    fits: ({ at, field }) => /\/attachments\/\d+$/.test(at) && keptFields.includes(field ?? ""),
  },
];

interface Gap {
  readonly schema: string;
  readonly at: string;
  /** The unknown field, if that is the fault. */
  readonly field: string | undefined;
}

interface Spec {
  check(schema: string, value: unknown): readonly string[];
}

/**
 * Halves the time until the first check: the schemas are known to be valid, and each validator runs only a few times.
 */
const quick = { validateSchema: false, code: { optimize: false } } as const;

const uri = "https://discord-api-spec/";
let loaded: Promise<Spec> | undefined;

/** Loads once: importing the schemas takes a tenth of a second, and compiling each takes milliseconds. */
function spec(): Promise<Spec> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<Spec> {
  // A string variable, because the package has no type declarations for its schemas.
  const name: string = "discord-api-spec/zod";
  const schemas: Readonly<Record<string, ZodType>> = await import(name);
  const known = registry<{ id: string }>();
  for (const [each, schema] of Object.entries(schemas)) {
    if (each.endsWith("Schema")) known.add(schema, { id: each.slice(0, -"Schema".length) });
  }
  // With a registry, the schemas refer to each other; without it, each would contain copies of others and compile for
  // seconds.
  const { schemas: all } = toJSONSchema(known, { unrepresentable: "any", uri: (id) => uri + id });
  const ajv = new Ajv2020({ ...quick, allErrors: true, strict: false, inlineRefs: false });
  addFormats.default(ajv);
  for (const schema of Object.values(all)) ajv.addSchema(openBranches(schema, all));

  function validator(schema: string): ValidateFunction {
    const found = ajv.getSchema(uri + schema);
    if (found === undefined) throw new Error(`the specification has no "${schema}"`);
    return found;
  }

  const spec: Spec = {
    check(schema, value) {
      if (schema.endsWith("[]")) {
        if (!Array.isArray(value)) return [`${schema} is no list`];
        return value.flatMap((each) => spec.check(schema.slice(0, -2), each));
      }
      const validate = validator(schema);
      if (validate(value)) return [];
      const errors = real(validate.errors ?? []);
      const open = errors.filter((error) => !isKnown(schema, error));
      return open.map(
        ({ instancePath, message, params }) =>
          `${schema}${instancePath} ${message} ${JSON.stringify(params)}`,
      );
    },
  };
  return spec;
}

type Json = Readonly<Record<string, unknown>>;

/** Each branch of an intersection would reject the other's fields, so only the combination rejects unknown fields. */
function openBranches(schema: Json, all: Readonly<Record<string, Json>>): Json {
  if (!Array.isArray(schema.allOf)) return schema;
  const branches = schema.allOf.map((branch: Json) => {
    const referred = String(branch.$ref ?? "").slice(uri.length);
    const { $id, $schema, additionalProperties, ...open } = all[referred] ?? branch;
    return open;
  });
  return { ...schema, allOf: branches, unevaluatedProperties: false };
}

function isKnown(schema: string, { instancePath: at, params }: ErrorObject): boolean {
  const field = (params as { additionalProperty?: string }).additionalProperty;
  return knownGaps.some((gap) => gap.fits({ schema, at, field }));
}

/**
 * When a union fails, every branch reports errors. Errors of branches with another literal `type` are dropped; of the
 * rest, "must be null" counts only if there is no more specific error.
 */
function real(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const others = errors
    .filter(({ keyword, instancePath }) => keyword === "const" && /\/type$/.test(instancePath))
    .map(({ schemaPath, instancePath }) => ({
      branch: schemaPath.replace(/\/properties\/type\/const$/, ""),
      at: instancePath.replace(/\/type$/, ""),
    }));
  const left = errors.filter(
    ({ schemaPath, instancePath, keyword }) =>
      keyword !== "anyOf" &&
      !others.some(
        ({ branch, at }) => schemaPath.startsWith(branch) && instancePath.startsWith(at),
      ),
  );
  const exact = left.filter(({ keyword, params }) => keyword !== "type" || params.type !== "null");
  if (exact.length > 0) return exact;
  const deepest = Math.max(...errors.map(({ instancePath }) => instancePath.length));
  return errors.filter(({ instancePath }) => instancePath.length === deepest);
}

/** How one request and its answer violate the specification; empty if they don't. */
export async function checkExchange(exchange: RestExchange): Promise<readonly string[]> {
  const { check } = await spec();
  const { method, path, status, requestBody, responseBody } = exchange;
  const operation = operationOf(method, path);
  if (operation === undefined) return [`${method} ${path} is no operation of the specification`];
  const found: string[] = [];
  const request = operation.request?.(requestBody);
  if (request !== undefined && requestBody !== undefined)
    found.push(...check(request, requestBody));
  if (operation.fields !== undefined) found.push(...fieldFaults(operation.fields, requestBody));
  else if (request === undefined && requestBody !== undefined) {
    found.push("a body where none belongs");
  }
  found.push(...ownRules(requestBody));
  found.push(...(await checkAnswer(operation.answer, status, responseBody)));
  return found.map((each) => `${method} ${path} ${status}: ${each}`);
}

function fieldFaults({ required, all }: NonNullable<Operation["fields"]>, body: unknown) {
  const names = Object.keys(typeof body === "object" && body !== null ? body : {});
  return [
    ...required.filter((name) => !names.includes(name)).map((name) => `lacks ${name}`),
    ...names.filter((name) => !all.includes(name)).map((name) => `does not know ${name}`),
  ];
}

async function checkAnswer(
  answer: Operation["answer"],
  status: number,
  body: unknown,
): Promise<readonly string[]> {
  const { check } = await spec();
  if (status >= 500) return [];
  if (status === 429) return check("RatelimitedResponse", body);
  if (status >= 400) return check("ErrorResponse", body);
  if (status === 204) return body === undefined ? [] : ["a 204 with a body"];
  if (answer === undefined) return ["a body where none belongs"];
  return check(typeof answer === "string" ? answer : answer(body), body);
}

export type GatewayKind = keyof typeof documented;

/** How an event violates the documentation (its own fields) or the specification (the parts that this describes). */
export async function checkGatewayObject(
  kind: GatewayKind,
  object: unknown,
): Promise<readonly string[]> {
  const { check } = await spec();
  const special = { READY: readyParts, INTERACTION_CREATE: interactionParts };
  const parts =
    kind === "READY" || kind === "INTERACTION_CREATE"
      ? special[kind](object)
      : eventParts(kind, object);
  return [
    ...missingFields(kind, object),
    ...parts.flatMap(({ at, schema, value }) =>
      check(schema, value).map((each) => `${at}: ${each}`),
    ),
  ].map((each) => `${kind} ${each}`);
}
