import { z } from 'zod'
import { grant } from '../account/profile.ts'
import { bodyLimits, endpoint } from '../define/endpoint.ts'
import { moment } from '../define/fields.ts'

/** How somebody proves who they are: `password` only where no second factor is set up. */
export const proofMethods = ['passkey', 'totp', 'recovery', 'password'] as const
export type ProofMethod = (typeof proofMethods)[number]

/** What WebAuthn takes and gives back, as JSON: the browser and a library on the server know its members. */
const webauthnJson = z.record(z.string(), z.unknown())

/** A short text that the server encrypted for itself; the client sends it back as it came. */
const sealed = () => z.string().max(4096)

/** What a person can be asked for, best first, and what a passkey needs for it. */
const proofOptions = z.looseObject({
  methods: z.array(z.enum(proofMethods)).default([]),
  passkey: webauthnJson.optional(),
  challenge: sealed().optional(),
})
export type ProofOptions = z.output<typeof proofOptions>

/** One proof: a code for `totp` and `recovery`, a password, or the reply of a passkey with its challenge. */
const proof = z.object({
  method: z.enum(proofMethods),
  code: z.string().max(64).optional(),
  password: z.string().max(256).optional(),
  challenge: sealed().optional(),
  response: webauthnJson.optional(),
})
export type Proof = z.output<typeof proof>

/** Shown once: the server keeps their hashes only. Absent when somebody has codes already. */
const recoveryCodes = z.looseObject({ recovery_codes: z.array(z.string()).optional() })

/** The name that somebody gives a passkey. Characters. */
export const passkeyNameLength = 64

/** The second factor of the signed-in user. */
export const ownSecondFactor = z.looseObject({
  /** The authenticator app, if there is one. */
  totp: z.looseObject({ created_at: moment() }).optional(),
  passkeys: z
    .array(
      z.looseObject({
        id: z.int(),
        name: z.string(),
        created_at: moment(),
        last_used_at: moment().optional(),
        /** The host name at which it works. */
        host: z.string(),
      }),
    )
    .default([]),
  /** How many recovery codes are left. */
  recovery_codes: z.int().default(0),
  /** Whether an administrator requires a second factor of everybody. */
  required: z.boolean().default(false),
})
export type OwnSecondFactor = z.output<typeof ownSecondFactor>

/**
 * The first half of a sign-in: `state` comes with the error of `login`; after a provider it is in a cookie. With neither, a
 * passkey replaces name and password.
 */
const firstHalf = z.object({ state: sealed().optional(), after: z.literal('provider').optional() })

const manage = { leadsTo: 'credential', beforeSetup: true } as const

/** Calls of servers that announce `wheelhouse.second_factor`. Apart from the others: only a few pages need them. */
export const secondFactorEndpoints = {
  ownSecondFactor: endpoint('GET', 'wheelhouse/second-factor', { reply: ownSecondFactor, beforeSetup: true }),
  /** A new secret for an authenticator app; it counts from `addTotp` on. */
  startTotp: endpoint('POST', 'wheelhouse/second-factor/totp/start', {
    reply: z.object({ secret: z.string(), uri: z.string(), state: sealed() }),
    ...manage,
  }),
  /** Takes a code of the app as proof that it has the secret; replaces the app from before. */
  addTotp: endpoint('POST', 'wheelhouse/second-factor/totp', {
    makesRecord: true,
    body: z.object({ state: sealed(), code: z.string().max(16) }),
    reply: recoveryCodes,
    ...manage,
  }),
  removeTotp: endpoint('DELETE', 'wheelhouse/second-factor/totp', manage),
  startPasskey: endpoint('POST', 'wheelhouse/second-factor/passkeys/start', {
    reply: z.object({ passkey: webauthnJson, challenge: sealed() }),
    ...manage,
  }),
  addPasskey: endpoint('POST', 'wheelhouse/second-factor/passkeys', {
    body: z.object({
      name: z.string().trim().min(1).max(passkeyNameLength),
      challenge: sealed(),
      response: webauthnJson,
    }),
    reply: recoveryCodes,
    ...manage,
  }),
  removePasskey: endpoint('DELETE', 'wheelhouse/second-factor/passkeys/:id', manage),
  /** Ten new recovery codes in place of all earlier ones. */
  renewRecoveryCodes: endpoint('POST', 'wheelhouse/second-factor/recovery-codes', { reply: recoveryCodes, ...manage }),
  /** The methods by which a sign-in can continue. */
  signInOptions: endpoint('POST', 'wheelhouse/sign-in/options', {
    body: firstHalf,
    reply: proofOptions,
    access: 'anyone',
    bodyLimit: bodyLimits.small,
  }),
  completeSignIn: endpoint('POST', 'wheelhouse/sign-in', {
    body: proof.extend(firstHalf.shape),
    reply: grant,
    access: 'anyone',
    bodyLimit: bodyLimits.passkey,
  }),
  reauthenticationOptions: endpoint('POST', 'wheelhouse/reauthentication/options', {
    reply: proofOptions,
    beforeSetup: true,
  }),
  /** Proves again who is at the keyboard, for calls that were answered with `ApiErrorReauthentication`. */
  reauthenticate: endpoint('POST', 'wheelhouse/reauthentication', { body: proof, beforeSetup: true }),
} as const
