import { formatDuration, type Language } from '../../components/format/format.ts'
import type { RecordOf } from '../../schemas/define/entity.ts'
import type { escalation } from '../../schemas/escalation.ts'

export type Step = RecordOf<typeof escalation>['steps'][number]

/** Whom a plan tells, and after which time: 'at once: Ops' and '15 min: Night rota'. */
export function stepTexts<S extends Pick<Step, 'after_min'>>(
  steps: readonly S[],
  nameOf: (step: S) => string,
  { translate }: Language,
): string[] {
  const timeOf = ({ after_min }: S) =>
    after_min === 0 ? translate('resources.escalation.values.at_once') : formatDuration(after_min * 60, translate)
  return steps.map((step) =>
    translate('resources.escalation.values.step_text', { time: timeOf(step), name: nameOf(step) }),
  )
}
