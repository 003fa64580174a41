import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { factorFailures } from '../../../src/schemas/define/factorFailures.ts'
import { pendingFactorCookie } from '../../../src/schemas/define/wireNames.ts'
import { secondFactorEndpoints as calls } from '../../../src/schemas/endpoints/secondFactorEndpoints.ts'
import { describeCall } from '../../http/routes/openapi.ts'
import { ApiError } from '../../wire/apiError.ts'
import { success } from '../../wire/envelope.ts'
import { bodyReader } from '../../wire/readJson.ts'
import type { Proofs } from './proofs.ts'
import type { SignIns } from './signIns.ts'

interface SignInOptions {
  proofs: Proofs
  signIns: SignIns
}

/** The second half of a sign-in, and the sign-in with a passkey alone. */
export function registerSecondFactorSignIn(app: FastifyInstance, { proofs, signIns }: SignInOptions): void {
  const readOptions = bodyReader(calls.signInOptions)
  const readProof = bodyReader(calls.completeSignIn)

  /** @throws ApiError when no sign-in waits for its second factor under this token any more */
  async function heldBy(request: FastifyRequest, token: string) {
    const held = await signIns.held(request, token)
    if (!held) throw new ApiError(factorFailures.expired)
    return held
  }

  async function listOptions(request: FastifyRequest) {
    const { state, after } = readOptions(request.body)
    const token = after === 'provider' ? (request.cookies[pendingFactorCookie] ?? '') : state
    return success(await proofs.options(request, token === undefined ? undefined : (await heldBy(request, token)).user))
  }

  async function complete(request: FastifyRequest, reply: FastifyReply) {
    const proof = readProof(request.body)
    const token = proof.after === 'provider' ? (request.cookies[pendingFactorCookie] ?? '') : proof.state
    if (token === undefined) {
      const user = await proofs.identify(request, proof)
      return success(await signIns.open(request, reply, user, { by: 'passkey' }))
    }
    const { user, by } = await heldBy(request, token)
    await proofs.check(request, user, proof)
    // Once: what was completed must not open a second session.
    if (!(await signIns.release(token))) throw new ApiError(factorFailures.expired)
    if (proof.after === 'provider') reply.clearCookie(pendingFactorCookie, { path: '/' })
    return success(await signIns.open(request, reply, user, { by, second_factor: proof.method }))
  }

  // Not behind the guard, as the sign-in itself: the client may still send the cookie of an ended session.
  for (const [name, handler] of [
    ['signInOptions', listOptions],
    ['completeSignIn', complete],
  ] as const) {
    const { method, path, bodyLimit } = calls[name]
    const config = { describe: () => describeCall(name, calls[name]) }
    app.route({ method, url: `/api/v1/${path}`, config, bodyLimit, handler })
  }
}
