import { jsonObject } from '../wire/jsonObject.ts'

/** Messengers that say in `code` whether they took a message, 0 for yes. To others, 200 or 1 is good. */
const codeIsError = /(^|\.)(feishu\.cn|larksuite\.com|ftqq\.com|ft07\.com)$/

/** WeCom (two), DingTalk and Feishu are called too often. */
const throttledCodes: readonly unknown[] = [45009, 45033, 130101, 11232]

/**
 * Whether a receiver that answers with a good status says in its JSON that it has not taken the message, as WeCom,
 * DingTalk, Feishu, ServerChan, the API of Slack and OneBot do. A person would wait for it in vain.
 * @param url of the request
 * @returns `undefined` for a message that was taken, also by a receiver whose answer is not known
 */
export function refusalInBody(url: string, body: string): { isThrottled: boolean } | undefined {
  const answer = jsonObject(body)
  if (!answer) return undefined
  const { ok, success, errcode, retcode, code } = answer
  const ofHost = codeIsError.test(new URL(url).hostname) ? code : undefined
  const error = [errcode, retcode, ofHost].find((one) => typeof one === 'number' && one !== 0)
  // OneBot has 1 for what it will do in a moment.
  const isRefused = ok === false || success === false || (error !== undefined && !(error === retcode && error === 1))
  return isRefused ? { isThrottled: throttledCodes.includes(error) } : undefined
}
