/** Shorter values can't be masked: they would match by chance, especially in base64. */
export const minSecretLength = 6;

/**
 * Every form in which a secret may appear in a line: as it is, escaped for JSON, for addresses, in base64 and in hex.
 * Forms of one secret often coincide, so this is a set.
 */
export function listEncodings(secret: string): ReadonlySet<string> {
  const bytes = Buffer.from(secret, "utf8");
  const forms = [
    secret,
    ...jsonForms(secret),
    ...addressForms(secret, bytes),
    ...base64Forms(bytes),
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
  ];
  return new Set(forms.filter((form) => form.length >= minSecretLength));
}

/** Escaped up to three times: a body quoted in a message that is quoted in a line. Some encoders escape all but ASCII. */
function jsonForms(secret: string): readonly string[] {
  const once = escapeJson(secret);
  const twice = escapeJson(once);
  const ascii = escapeJson(secret, /[^\x20-\x7e]|[<>&'/]/g);
  return [
    once,
    twice,
    escapeJson(twice),
    escapeJson(secret, /[^\x20-\x7e]/g),
    ascii,
    escapeJson(ascii),
  ];
}

function escapeJson(text: string, alsoEscaped?: RegExp): string {
  const escaped = JSON.stringify(text).slice(1, -1);
  if (alsoEscaped === undefined) return escaped;
  return escaped.replace(alsoEscaped, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Encoders differ in which characters they keep, in how they write a space, and in the case of hex digits. */
function addressForms(secret: string, bytes: Buffer): readonly string[] {
  const text = secret.toWellFormed();
  const component = encodeURIComponent(text);
  const strict = component.replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const form = new URLSearchParams({ k: text }).toString().slice(2);
  const whole = bytes.toString("hex").replace(/../g, "%$&");
  const forms = [encodeURI(text), component, strict, form, whole, whole.toUpperCase()];
  forms.push(...[component, strict].map(encodeURIComponent));
  return forms.flatMap((f) => [f, f.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())]);
}

/**
 * Inside a longer base64 text a secret starts at one of three alignments; each leaves out the characters that it
 * shares with its neighbours.
 */
function base64Forms(bytes: Buffer): readonly string[] {
  const plain = [0, 1, 2].map((before) => {
    const padded = Buffer.concat([Buffer.alloc(before), bytes]);
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor((padded.length * 8) / 6);
    return padded.toString("base64").slice(first, last);
  });
  return plain.flatMap((text) => [
    text,
    text.replaceAll("+", "-").replaceAll("/", "_"),
    text.replaceAll("/", "\\/"),
    encodeURIComponent(text),
    encodeURIComponent(text).replace(/%2[BF]/g, (code) => code.toLowerCase()),
  ]);
}
