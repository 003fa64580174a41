import { useLanguage } from '../../../components/format/useLanguage.ts'
import type { Trouble } from '../../../domain/trouble/trouble.ts'
import { useServerClock } from '../../../live/serverClock.ts'
import { causeText } from './troubleText.ts'

/** Why something is wrong, in a row below the name. */
export default function TroubleCause({ trouble }: { trouble: Trouble }) {
  const text = causeText(trouble, useServerClock(), useLanguage())
  return (
    <small className="cell-cause" data-severity={trouble.severity} title={text}>
      {text}
    </small>
  )
}
