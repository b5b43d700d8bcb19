/** https://docs.discord.com/developers/resources/message#embed-object */
const longestAddress = 2048;
/** Characters that RFC 3986 does not allow in an address, but that people's addresses may have. */
const outside = /[^\w\-.~:/?#[\]@!$&'()*+,;=%]|%(?![\da-f]{2})/giu;

/** A web address in a form that Discord accepts; undefined for anything else, because it would fail the whole message. */
export function webAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, href } = new URL(text);
  if (protocol !== "https:" && protocol !== "http:") return undefined;
  const whole = href.replace(outside, encodeURIComponent);
  return whole.length <= longestAddress ? whole : undefined;
}
