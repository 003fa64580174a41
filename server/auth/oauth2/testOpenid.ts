import type { SignInTestResult } from '../../../src/schemas/endpoints/signInProviderEndpoints.ts'
import type { OpenidProvider } from '../providers/providers.ts'
import { describeError } from './client.ts'
import { metadataOf } from './discovery.ts'

/** Characters of an answer: providers list hundreds of scopes. */
const maxAnswer = 1000

/** What of its document is shown: who it is, where people sign in, and what can be asked for. */
const shown = [
  'issuer',
  'authorization_endpoint',
  'token_endpoint',
  'userinfo_endpoint',
  'scopes_supported',
  'claims_supported',
] as const

/** Asks an OpenID provider for its document about itself, as a sign-in does. */
export async function testOpenid(provider: OpenidProvider): Promise<SignInTestResult> {
  try {
    const metadata = await metadataOf(provider)
    const answers = shown.flatMap((name) => {
      const value = metadata[name]
      return value === undefined ? [] : [{ name, value: [value].flat().join(' ').slice(0, maxAnswer) }]
    })
    return { answers }
  } catch (error) {
    return { failure: describeError(error), answers: [] }
  }
}
