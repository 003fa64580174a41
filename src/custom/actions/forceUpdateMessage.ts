import type { Message, ReportWords } from '../../resources/engine/define/defineResource.ts'
import type { OrderReport } from '../../schemas/machines/serverConfig.ts'

const namesShown = 10

/** What became of an order, with the servers by name. */
export function forceUpdateMessage(report: OrderReport, { translate, nameOf }: ReportWords): Message {
  const listed = (['success', 'failure', 'offline'] as const).filter((outcome) => report[outcome].length > 0)
  const lines = listed.map((outcome) => {
    const names = report[outcome].slice(0, namesShown).map(nameOf)
    const more = report[outcome].length - names.length
    if (more > 0) names.push(translate('app.list.more', { count: more }))
    return translate(`app.orders.${outcome}`, { names: names.join(', ') })
  })
  return {
    key: 'app.orders.done',
    args: { lines: lines.join('\n') },
    type: listed.some((outcome) => outcome !== 'success') ? 'warning' : 'success',
  }
}
