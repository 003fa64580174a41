import type { Text } from './text.ts'

/** Abbreviations: they are not written in lower case. */
const spelling: Readonly<Record<string, string>> = {
  ...{ cpu: 'CPU', ddns: 'DDNS', dns: 'DNS', gpu: 'GPU', id: 'ID', ip: 'IP', ipv4: 'IPv4', ipv6: 'IPv6', json: 'JSON' },
  ...{ mcp: 'MCP', nat: 'NAT', oauth2: 'OAuth2', tls: 'TLS', url: 'URL', uuid: 'UUID' },
}

/** The English label that a name in snake_case stands for: `starts_at` is 'Starts at', `server_id` is 'Server ID'. */
export function labelFromName(name: string): string {
  const label = name
    .split('_')
    .map((word) => spelling[word] ?? word)
    .join(' ')
  return label.charAt(0).toUpperCase() + label.slice(1)
}

/** The plural of an English noun. */
export function plural(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`
  return /(s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`
}

/** Both forms of an English noun, where only the first is given. */
export const withPlural = (noun: string): string => (noun.includes('||||') ? noun : `${noun} |||| ${plural(noun)}`)

/** A name as it stands within a sentence: 'Server group' is 'server group', and 'DDNS profile' stays. */
const withinSentence = (name: string) => name.replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase())

const numbered = (name: string, form = (one: string) => one) =>
  name
    .split(' |||| ')
    .map((one) => `%{smart_count} ${form(one)}`)
    .join(' |||| ')

/** Chinese puts a blank between its own signs and Latin letters. */
const afterMeasureWord = (name: string) => (/^[a-z]/i.test(name) ? ` ${name}` : name)

/** Names behind a number, in every language, as they follow from the plain names. */
export const countedFrom = (name: Text): Text => ({
  en: numbered(withPlural(name.en), withinSentence),
  it: numbered(name.it, withinSentence),
  zhCN: numbered(name.zhCN, (one) => `个${afterMeasureWord(one)}`),
  zhTW: numbered(name.zhTW, (one) => `個${afterMeasureWord(one)}`),
  de: numbered(name.de),
})
