import { setCookie } from '../fakes/fakeServer.ts'

/** Gives the page a session token with an invalid signature. @param life seconds @param issued by the server's clock */
export function receiveToken({ life = 3600, issued = 1_800_000_000 } = {}): void {
  const claims = btoa(JSON.stringify({ iat: issued, exp: issued + life }))
  setCookie('nz-jwt', `e30.${claims}.signature`)
}
