/** No zod in here: the sign-in form loads this file. */

/** The words of the embedded server for a second factor that it did not take; consoles translate them. */
export const factorFailures = {
  wrong: 'the code is not right',
  used: 'this code has been used already: wait for the next one',
  passkey: 'the passkey was not accepted',
  tooMany: 'too many wrong codes for this account: use a recovery code or a passkey, or wait an hour',
  unreadable:
    'codes of the authenticator app cannot be checked, because the key file of this server is missing: use a recovery code or a passkey',
  expired: 'this took too long: start again',
  password: 'incorrect password',
} as const

export type FactorFailure = keyof typeof factorFailures
