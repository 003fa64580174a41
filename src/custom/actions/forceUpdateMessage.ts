import type { Message, ReportHelpers } from '../../resources/engine/define/defineResource.ts'
import type { OrderReport } from '../../schemas/machines/serverConfig.ts'

const maxNames = 10

/** The result of a forced agent update: for each outcome the servers' names. */
export function forceUpdateMessage(report: OrderReport, { translate, nameOf }: ReportHelpers): Message {
  const outcomes = (['success', 'failure', 'offline'] as const).filter((outcome) => report[outcome].length > 0)
  const lines = outcomes.map((outcome) => {
    const names = report[outcome].slice(0, maxNames).map(nameOf)
    const more = report[outcome].length - names.length
    if (more > 0) names.push(translate('app.list.more', { count: more }))
    return translate(`app.orders.${outcome}`, { names: names.join(', ') })
  })
  return {
    key: 'app.orders.done',
    args: { lines: lines.join('\n') },
    type: outcomes.some((outcome) => outcome !== 'success') ? 'warning' : 'success',
  }
}
