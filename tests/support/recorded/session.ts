import { randomBytes } from 'node:crypto'
import type { Dialect } from './dialects.ts'

/** Seconds that a token lives. */
const life = 3600

/** The headers by which a call is authenticated. */
interface Proof {
  cookie?: string
  'x-csrf-token'?: string | string[]
}

/** Tokens and CSRF values of one server, minted as its build mints them: CSRF in the current dialect only. */
export interface Sessions {
  /** Opens a session, or renews one. */
  open(): { data: { token: string; expire: string }; cookies: string[] }
  /** The cookie that a protected GET without one gets. */
  seed(headers: Proof): string[]
  isSignedIn(headers: Proof): boolean
  mayWrite(headers: Proof): boolean
}

export function createSessions(dialect: Dialect): Sessions {
  const tokens = new Set<string>()
  const proofs = new Set<string>()
  const cookieIn = ({ cookie = '' }: Proof, name: string) =>
    cookie
      .split('; ')
      .find((pair) => pair.startsWith(`${name}=`))
      ?.slice(name.length + 1) ?? ''
  const mintProof = () => {
    if (dialect !== 'current') return []
    const proof = `${randomBytes(32).toString('hex')}.${randomBytes(32).toString('hex')}`
    proofs.add(proof)
    return [`nz-csrf=${proof}; Path=/; SameSite=Strict`]
  }
  return {
    open() {
      const now = Math.floor(Date.now() / 1000)
      const claims = { exp: now + life, orig_iat: now, user_id: '1' }
      const token = [{ alg: 'HS256', typ: 'JWT' }, claims, randomBytes(16).toString('hex')].map(encode).join('.')
      tokens.add(token)
      const expire = new Date(claims.exp * 1000).toISOString().replace(/\.\d+/, '')
      const cookies = [`nz-jwt=${token}; Path=/; Max-Age=${life}; SameSite=Lax`, ...mintProof()]
      return { data: { token, expire }, cookies }
    },
    seed: (headers) => (cookieIn(headers, 'nz-csrf') ? [] : mintProof()),
    isSignedIn: (headers) => tokens.has(cookieIn(headers, 'nz-jwt')),
    mayWrite(headers) {
      if (dialect !== 'current') return true
      const proof = cookieIn(headers, 'nz-csrf')
      return proofs.has(proof) && headers['x-csrf-token'] === proof
    },
  }
}

const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url')
