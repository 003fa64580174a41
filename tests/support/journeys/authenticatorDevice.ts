import type { Page } from '@playwright/test'

/**
 * Gives a page a device that makes passkeys and signs with them by itself, as if its owner had touched it and typed the
 * PIN. It lives as long as the page.
 */
export async function addAuthenticatorDevice(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}
