import { setCookie } from '../fakes/fakeServer.ts'

/** Gives the page a token that lives as long, in seconds, by the clock of a server; its signature is nobody's. */
export function receiveToken({ life = 3600, issued = 1_800_000_000 } = {}): void {
  const claims = btoa(JSON.stringify({ iat: issued, exp: issued + life }))
  setCookie('nz-jwt', `e30.${claims}.signature`)
}
