import { Secret, TOTP } from 'otpauth'
import type { Browser } from '../../console/browser.ts'
import type { TestServer } from '../testServer.ts'

/** What an authenticator app shows. @param now milliseconds since 1970 */
export const codeOf = (secret: string, now: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now })

/** Milliseconds for which an app shows the same code. */
export const codeStep = 30_000

export const wrongCode = { error: 'the code is not right' }

/** Lets the time pass until the block after a failure has ended. */
export function passBlock({ clock }: TestServer): void {
  clock.now += 120_000
}

/** Sets up an authenticator app, and waits until its next code. */
export async function setUpTotp(
  server: TestServer,
  browser: Browser,
): Promise<{ secret: string; recoveryCodes: string[]; code: () => string }> {
  const started = await browser.call('POST', 'wheelhouse/second-factor/totp/start')
  const { data } = started.body as { data?: { secret: string; state: string } }
  if (!data) throw new Error(started.text)
  const code = () => codeOf(data.secret, server.clock.now)
  const added = await browser.call('POST', 'wheelhouse/second-factor/totp', {
    body: { state: data.state, code: code() },
  })
  const reply = added.body as { success?: true; data?: { recovery_codes?: string[] } }
  if (!reply.success) throw new Error(added.text)
  server.clock.now += codeStep
  return { secret: data.secret, recoveryCodes: reply.data?.recovery_codes ?? [], code }
}

/** Sends name and password. @returns the token with which the second half goes on */
export async function beginSignIn(browser: Browser, username: string, password: string): Promise<string> {
  const reply = await browser.signIn(username, password)
  const { data } = reply.body as { data?: { state?: string } }
  if (!data?.state) throw new Error(reply.text)
  return data.state
}

export const completeSignIn = (browser: Browser, body: object, headers?: Record<string, string>) =>
  browser.call('POST', 'wheelhouse/sign-in', { body, headers })
