import { usePeerAddress } from '../../../src/schemas/settings/siteSetting.ts'
import { isLoopback } from '../../settings.ts'
import { type Answer, askServer } from './askServer.ts'
import { type Check, messageOf, resultsOf } from './check.ts'

const { ok, warning, failed } = resultsOf('proxy')

const setHeader =
  'Let the proxy send the address of the visitor as X-Real-IP, and name that header in the settings of the site.'

/**
 * Whether PUBLIC_URL leads here, and a proxy in front sends the header with the visitors' addresses that the settings
 * name. A server with a certificate of its own has none in front, as far as can be seen from here.
 */
export const checkProxy: Check = async ({ settings: { host, publicUrl, upstream, tls }, site }) => {
  if (upstream || !site) return []
  const header = site.web_real_ip_header || usePeerAddress
  const readsHeader = header !== usePeerAddress
  if (!publicUrl) {
    if (!readsHeader)
      return [ok('No proxy is in front (PUBLIC_URL is not set), and visitors are known by their own addresses.')]
    const text = `Addresses of visitors come from the header ${header}, and PUBLIC_URL is not set.`
    return [warning(text, 'Set PUBLIC_URL to the address at the proxy, or the real-IP header to NZ::Use-Peer-IP.')]
  }
  if (readsHeader && !isLoopback(host)) {
    const text = `Whoever reaches port and host ${host} directly can claim any address in the header ${header}.`
    const withoutProxy = 'set the real-IP header to NZ::Use-Peer-IP'
    return [
      warning(
        text,
        `Without a proxy ${withoutProxy}; with one, set HOST to 127.0.0.1 or let a firewall admit nobody else.`,
      ),
    ]
  }
  let answer: Answer
  try {
    answer = await askServer(new URL('/api/v1/setting', publicUrl))
  } catch (error) {
    const text = `${publicUrl.origin} cannot be reached from this machine (${messageOf(error)}).`
    return [warning(text, 'Start the proxy. Where a network does not lead back to itself, look from another machine.')]
  }
  const words = answer.body?.error ?? `status ${answer.status}`
  if (answer.body?.data?.wheelhouse) {
    if (tls && !readsHeader) {
      return [ok(`${publicUrl.origin} leads here, and visitors are known by their own addresses.`)]
    }
    return readsHeader
      ? [ok(`${publicUrl.origin} leads here, and its requests have the header ${header}.`)]
      : [
          warning(
            `${publicUrl.origin} leads here, and all its visitors seem to have the address of the proxy.`,
            setHeader,
          ),
        ]
  }
  if (words === 'real ip header not found' || words.startsWith('ParseAddr(')) {
    return [failed(`Requests through ${publicUrl.origin} have no address in the header ${header}.`, setHeader)]
  }
  const advice = 'Lead all paths of that host to this server, with the header Host as it came (docs/guides/deploy.md).'
  return [failed(`${publicUrl.origin} does not lead to this server (${words}).`, advice)]
}
