import { readFileSync, statSync } from 'node:fs'
import { z } from 'zod'
import { errorCode, errorMessage } from '../../../src/domain/errors.ts'
import { isObject } from '../../../src/schemas/define/values.ts'
import { StartError } from '../../log.ts'
import { isLoopbackAddress } from '../addresses/clientAddress.ts'
import { bindingName } from '../users/oauth2Bindings.ts'

interface AnyProvider {
  /** As the console shows it and as it stands in URLs, with its capitals. */
  name: string
  clientId: string
  /** '' for a provider that needs none. */
  clientSecret: string
  scopes: readonly string[]
  /** How the ids of its accounts begin in bindings. '' where nothing but the provider's name says whose they are. */
  accountPrefix: string
}

/** An OAuth2 provider as `oauth2.json` describes it (docs/contract/CONTRACT.md#53-oauth2). */
export interface Oauth2Provider extends AnyProvider {
  kind: 'oauth2'
  authUrl: URL
  tokenUrl: URL
  userInfoUrl: URL
  /** Dotted path to the account's id in the reply of `userInfoUrl`. */
  userIdPath: string
  /** The provider's name for itself in its replies; compared when it is set. */
  issuer?: string
}

/** An OpenID Connect provider, of which the issuer is known: it says the rest itself. */
export interface OpenidProvider extends AnyProvider {
  kind: 'openid'
  issuer: URL
  /** Where it is in the database, and the dotted paths to what is read of its claims; absent for one of the file. */
  stored?: { id: number; groupsClaim: string; usernameClaim: string }
}

export type Provider = Oauth2Provider | OpenidProvider

/** By name, in the order of the file. */
export type Providers = ReadonlyMap<string, Provider>

/** An issuer in the one form in which it is compared and stored. */
export const withoutEndSlash = ({ href }: URL) => href.replace(/\/$/, '')

/** Whether a name is that by which the file knows the provider (`iss`). */
export const callsItself = ({ issuer }: Provider, name: string | null): boolean =>
  issuer !== undefined && name !== null && comparable(String(issuer)) === comparable(name)

const comparable = (name: string) => (URL.canParse(name) ? withoutEndSlash(new URL(name)) : name)

const isLoopbackName = (name: string) => name === 'localhost' || isLoopbackAddress(name.replace(/^\[(.*)\]$/, '$1'))

function isSafeAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackName(url.hostname))
}

function isIssuer(text: string): boolean {
  if (!isSafeAddress(text) || /[?#]/.test(text)) return false
  const { username, password } = new URL(text)
  return username === '' && password === ''
}

/** Secrets and codes are sent to it. */
const address = z.string().refine(isSafeAddress, { error: 'is no https:// address' })

const oauth2Entry = z.looseObject({
  client_id: z.string().min(1),
  client_secret: z.string().default(''),
  endpoint: z.looseObject({ auth_url: address, token_url: address }),
  scopes: z.array(z.string()).nullish(),
  user_info_url: address,
  user_id_path: z.string().min(1),
  issuer: z.string().min(1).optional(),
})

/** What providers add to their issuer for the document about themselves: people copy it along. */
const documentPath = /\/\.well-known\/openid-configuration\/?$/

/** The address of an issuer, without the path of its document. */
export const openidIssuer = address
  .transform((text) => text.replace(documentPath, ''))
  .refine(isIssuer, { error: 'is no issuer' })

const openidEntry = z.looseObject({
  issuer: openidIssuer,
  client_id: z.string().min(1),
  client_secret: z.string().default(''),
  scopes: z.array(z.string()).nullish(),
})

/** An entry without addresses is one of OpenID Connect. */
const isOpenid = (facts: unknown) => isObject(facts) && facts.issuer !== undefined && facts.endpoint === undefined

const file = z.record(z.string().min(1), z.unknown())

/**
 * Reads the providers; none without a file. The file is read once, at the start.
 * @throws StartError that says what is wrong with the file and what to do
 */
export function readProviders(path: string): Providers {
  const text = readPrivateFile(path)
  if (text === undefined) return new Map()
  const parsed = file.safeParse(parse(path, text))
  if (!parsed.success) throw unusableFile(path, describeIssue(parsed.error))
  const names = Object.keys(parsed.data)
  const providers = Object.entries(parsed.data).map(([name, facts]) => readProvider(path, name, facts))
  const duplicate = names.find((name, at) => names.findIndex((other) => bindingName(other) === bindingName(name)) < at)
  // Both would share their bindings: an account id of one would sign in users of the other.
  if (duplicate) throw unusableFile(path, `"${duplicate}" is there twice: names must differ by more than capitals`)
  if (names.includes('callback')) throw unusableFile(path, '"callback" is no name to choose: browsers come back there')
  return new Map(providers.map((provider) => [provider.name, provider]))
}

/** @throws StartError */
function readProvider(path: string, name: string, facts: unknown): Provider {
  if (isOpenid(facts)) {
    const read = readEntry(path, name, openidEntry, facts)
    const issuer = new URL(read.issuer)
    return {
      kind: 'openid',
      name,
      clientId: read.client_id,
      clientSecret: read.client_secret,
      scopes: [...new Set(['openid', ...(read.scopes ?? [])])],
      issuer,
      accountPrefix: `${withoutEndSlash(issuer)}#`,
    }
  }
  const read = readEntry(path, name, oauth2Entry, facts)
  return {
    kind: 'oauth2',
    name,
    clientId: read.client_id,
    clientSecret: read.client_secret,
    authUrl: new URL(read.endpoint.auth_url),
    tokenUrl: new URL(read.endpoint.token_url),
    scopes: read.scopes ?? [],
    userInfoUrl: new URL(read.user_info_url),
    userIdPath: read.user_id_path,
    issuer: read.issuer,
    accountPrefix: '',
  }
}

/** @throws StartError */
function readEntry<S extends z.ZodType>(path: string, name: string, schema: S, facts: unknown): z.output<S> {
  const parsed = schema.safeParse(facts)
  if (parsed.success) return parsed.data
  throw unusableFile(path, describeIssue(parsed.error, name))
}

/** The text of the file. @throws StartError when other users of this machine could read the client secrets in it */
function readPrivateFile(path: string): string | undefined {
  try {
    const { mode } = statSync(path)
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new StartError(
        `${path} holds secrets and is open to other users: run "chmod 600 ${path}", then start again.`,
      )
    }
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof StartError) throw error
    const code = errorCode(error)
    if (code === 'ENOENT') return undefined
    throw new StartError(`${path} cannot be read (${code}): make it a file of the user who starts the server.`, {
      cause: error,
    })
  }
}

function parse(path: string, text: string): unknown {
  try {
    // Editors on Windows begin a file with a byte order mark, which is no JSON.
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    // The parser's message quotes the text, and with it a secret.
    const at = /position (\d+)/.exec(errorMessage(error))?.[1]
    throw unusableFile(path, at ? `it is no JSON from line ${lineAt(text, Number(at))} on` : 'it is no JSON')
  }
}

const lineAt = (text: string, position: number) => text.slice(0, position).split('\n').length

function describeIssue(error: z.ZodError, ...before: readonly string[]): string {
  const [issue] = error.issues
  const where = [...before, ...(issue?.path ?? [])].map((part) => `"${String(part)}"`).join(' → ')
  return where ? `${where} is missing or wrong: ${issue?.message}` : 'it must hold an object of providers by name'
}

const unusableFile = (path: string, words: string) =>
  new StartError(
    `The sign-in providers in ${path} cannot be used (${words}): correct the file as docs/guides/oauth2.md shows, or move it away to start without them.`,
  )
