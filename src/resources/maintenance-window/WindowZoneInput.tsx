import { TimeZoneInput } from '../../components/inputs/timeInputs.tsx'
import type { InputProps } from '../../engine/kinds/parts/kind.ts'
import WindowPreview from './WindowPreview.tsx'

/** The zone of a window; below it, the next times that it is open. */
export default function WindowZoneInput(props: InputProps) {
  return (
    <div>
      <TimeZoneInput {...props} />
      <div role="status">
        <WindowPreview />
      </div>
    </div>
  )
}
