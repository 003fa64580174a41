import { readFileSync, statSync } from 'node:fs'
import { z } from 'zod'
import { errorCode, errorMessage } from '../../../src/domain/errors.ts'
import { StartError } from '../../startError.ts'
import { isLoopbackAddress } from '../addresses/clientAddress.ts'
import { bindingName } from '../users/oauth2Bindings.ts'

/** An OAuth2 provider as `oauth2.json` describes it (docs/contract/CONTRACT.md#53-oauth2). */
export interface Provider {
  /** As the console shows it and as it stands in URLs, with its capitals. */
  name: string
  clientId: string
  clientSecret: string
  authUrl: URL
  tokenUrl: URL
  scopes: readonly string[]
  userInfoUrl: URL
  /** Dotted path to the account's id in the reply of `userInfoUrl`. */
  userIdPath: string
  /** The provider's name for itself in its replies; compared when it is set. */
  issuer?: string
}

/** By name, in the order of the file. */
export type Providers = ReadonlyMap<string, Provider>

const isLoopbackName = (name: string) => name === 'localhost' || isLoopbackAddress(name.replace(/^\[(.*)\]$/, '$1'))

/** Secrets and codes are sent to it. */
const address = z.string().refine(
  (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackName(url.hostname))
  },
  { error: 'is no https:// address' },
)

const entry = z.looseObject({
  client_id: z.string().min(1),
  client_secret: z.string().default(''),
  endpoint: z.looseObject({ auth_url: address, token_url: address }),
  scopes: z.array(z.string()).nullish(),
  user_info_url: address,
  user_id_path: z.string().min(1),
  issuer: z.string().min(1).optional(),
})

const file = z.record(z.string().min(1), entry)

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
  const duplicate = names.find((name, at) => names.findIndex((other) => bindingName(other) === bindingName(name)) < at)
  // Both would share their bindings: an account id of one would sign in users of the other.
  if (duplicate) throw unusableFile(path, `"${duplicate}" is there twice: names must differ by more than capitals`)
  if (names.includes('callback')) throw unusableFile(path, '"callback" is no name to choose: browsers come back there')
  return new Map(Object.entries(parsed.data).map(([name, facts]) => [name, providerOf(name, facts)]))
}

function providerOf(name: string, facts: z.output<typeof entry>): Provider {
  return {
    name,
    clientId: facts.client_id,
    clientSecret: facts.client_secret,
    authUrl: new URL(facts.endpoint.auth_url),
    tokenUrl: new URL(facts.endpoint.token_url),
    scopes: facts.scopes ?? [],
    userInfoUrl: new URL(facts.user_info_url),
    userIdPath: facts.user_id_path,
    issuer: facts.issuer,
  }
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

function describeIssue(error: z.ZodError): string {
  const [issue] = error.issues
  const where = issue?.path.map((part) => `"${String(part)}"`).join(' → ')
  return where ? `${where} is missing or wrong: ${issue?.message}` : 'it must hold an object of providers by name'
}

const unusableFile = (path: string, words: string) =>
  new StartError(
    `The sign-in providers in ${path} cannot be used (${words}): correct the file as docs/guides/oauth2.md shows, or move it away to start without them.`,
  )
