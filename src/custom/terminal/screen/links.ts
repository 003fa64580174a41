/** The address of a link that may be opened, as the browser will understand it: http and https only. */
export function webAddress(said: string): string | undefined {
  if (!URL.canParse(said)) return undefined
  const { protocol, href } = new URL(said)
  return protocol === 'http:' || protocol === 'https:' ? href : undefined
}
