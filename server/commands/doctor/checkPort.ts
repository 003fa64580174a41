import { usePeerAddress } from '../../../src/schemas/settings/siteSetting.ts'
import { askServer } from './askServer.ts'
import { type Check, messageOf, resultsOf } from './check.ts'

const { ok, warning, failed } = resultsOf('port')

/** Whether the server answers on its port, and with this version. */
export const checkPort: Check = async ({ settings, address, site, version }) => {
  if (!address)
    return [warning('PORT is 0, so nobody can say where the server is.', 'Set PORT to the port that it uses.')]
  const header = site?.web_real_ip_header
  const headers = header && header !== usePeerAddress ? { [header]: '127.0.0.1' } : {}
  try {
    const { status, body } = await askServer(new URL('/api/v1/setting', address), headers)
    if (settings.upstream) return [ok(`The gateway answers at ${address.origin}.`)]
    const running = body?.data?.wheelhouse?.version
    if (running === undefined) {
      const words = body?.error ?? `status ${status}`
      return [
        failed(
          `What answers at ${address.origin} is no Wheelhouse (${words}).`,
          'Stop the other program, or set PORT.',
        ),
      ]
    }
    if (running !== version) {
      const text = `The server at ${address.origin} is version ${running}, and this command ${version}.`
      return [warning(text, 'Start the server anew, so that the installed version runs.')]
    }
    return [ok(`The server answers at ${address.origin} (version ${running}).`)]
  } catch (error) {
    return [
      failed(
        `Nothing answers at ${address.origin} (${messageOf(error)}).`,
        'Start the server; its log says why it ended. If it listens elsewhere, give this command the same HOST, PORT and TLS_CERT.',
      ),
    ]
  }
}
