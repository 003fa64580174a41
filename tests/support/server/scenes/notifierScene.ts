import { setTimeout as wait } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { type DataApp, dataApp, type member } from '../../console/dataApp.ts'

type Options = Parameters<typeof dataApp>[0]

/** A server with these notifiers in group 1. Pauses between tries are recorded instead of awaited. */
export async function notifierScene(notifiers: readonly object[], options: Options = {}, person?: typeof member) {
  const pauses: number[] = []
  const pause = async (ms: number) => void pauses.push(ms)
  const data = await dataApp({ pause, ...options })
  onTestFinished(() => data.notifications.stop())
  const plain = { name: 'n', request_method: 1, request_type: 1, verify_tls: true, skip_check: true }
  for (const notifier of notifiers) await data.call('POST', 'notification', { ...plain, ...notifier }, person)
  const ids = notifiers.map((_, index) => index + 1)
  await data.call('POST', 'notification-group', { name: 'all', notifications: ids }, person)
  return { ...data, pauses, log: (person?: typeof member) => deliveryLog(data, person) }
}

/** The delivery log, latest first. */
export async function deliveryLog({ call }: DataApp, person?: typeof member): Promise<Record<string, unknown>[]> {
  const { body } = await call('GET', 'wheelhouse/deliveries?limit=1000', undefined, person)
  return (body as { data: { value?: Record<string, unknown>[] } }).data.value ?? []
}

/** Waits until the log has so many entries. */
export async function logged(scene: { log: () => ReturnType<typeof deliveryLog> }, count: number) {
  for (;;) {
    const log = await scene.log()
    if (log.length >= count) return log
    await wait(5)
  }
}
