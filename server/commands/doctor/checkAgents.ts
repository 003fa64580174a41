import { connect, constants, type IncomingHttpHeaders } from 'node:http2'
import { type Check, type CheckResult, messageOf, resultsOf } from './check.ts'

const { ok, warning, failed } = resultsOf('agents')

const timeoutMs = 5_000

/** The words for a call without a secret, which counts as no attack (docs/contract/AGENT.md#2-authentication-and-first-contact). */
const noSecret = '客户端认证失败'

const proxyAdvice =
  'Let the proxy pass gRPC on as HTTP/2, with its trailers (docs/guides/deploy.md, "Agents through the proxy").'

/** Whether agents get an answer: here, and at the address that they are told to use. */
export const checkAgents: Check = async ({ settings: { upstream }, address, site }) => {
  if (upstream || !address) return []
  const results: CheckResult[] = []
  try {
    await callAsAgent(address)
    results.push(ok(`Agents get an answer at ${address.host}.`))
  } catch (error) {
    results.push(failed(`Agents get no answer at ${address.host} (${messageOf(error)}).`, 'See the check of the port.'))
  }
  const installHost = site?.install_host
  const outside = installHost ? `${site.tls ? 'https' : 'http'}://${installHost}` : ''
  if (!URL.canParse(outside)) return results
  try {
    const message = await callAsAgent(new URL(outside))
    const header = site?.agent_real_ip_header
    results.push(
      message === noSecret
        ? ok(`Agents get an answer at ${installHost}, where they are told to connect.`)
        : failed(
            `Agents are refused at ${installHost}: ${message}.`,
            `Let the proxy send ${header ?? 'the header'} of the settings for agents too.`,
          ),
    )
  } catch (error) {
    const text = `Agents get no answer at ${installHost}, where they are told to connect (${messageOf(error)}).`
    results.push(warning(text, `${proxyAdvice} A network that does not lead back to itself looks the same from here.`))
  }
  return results
}

/** Calls a method of agents without a secret. @returns the words of the refusal @throws Error without an answer in gRPC */
function callAsAgent(url: URL): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const session = connect(url, { rejectUnauthorized: false })
  const timer = setTimeout(() => end(new Error('no answer within 5 seconds')), timeoutMs)

  function end(error: unknown): void {
    clearTimeout(timer)
    session.destroy()
    reject(error)
  }

  function read(headers: IncomingHttpHeaders): void {
    if (headers['grpc-status'] === undefined) return
    clearTimeout(timer)
    session.destroy()
    resolve(decodeURIComponent(String(headers['grpc-message'] ?? '')))
  }

  session.once('error', end)
  const call = session.request({
    [constants.HTTP2_HEADER_METHOD]: 'POST',
    [constants.HTTP2_HEADER_PATH]: '/proto.NezhaService/ReportSystemInfo2',
    [constants.HTTP2_HEADER_CONTENT_TYPE]: 'application/grpc',
    te: 'trailers',
  })
  // Of a connection that fails, the call knows only that it was cancelled.
  call.once('error', (error) => end(error.cause ?? error))
  call.once('response', read)
  call.once('trailers', read)
  call.once('end', () => end(new Error('an answer that is not gRPC')))
  call.resume()
  // An empty message: one byte for "not compressed", four for its length.
  call.end(Buffer.alloc(5))
  return promise
}
