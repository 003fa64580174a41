import Button from '@mui/material/Button'
import { useRef } from 'react'
import { HiddenFileInput } from '../../components/inputs/HiddenFileInput.tsx'

interface FileChooserProps {
  label: string
  /** The one that is chosen. */
  file: File | undefined
  onChoose: (file: File) => void
  /** Default: any. */
  accept?: string
  disabled?: boolean
}

/** A button that chooses one file, with the name of the one that was chosen beside it. */
export function FileChooser({ label, file, onChoose, accept, disabled }: FileChooserProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div style={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 12, marginBlock: 8 }}>
      <Button variant="outlined" color="inherit" disabled={disabled} onClick={() => input.current?.click()}>
        {label}
      </Button>
      <HiddenFileInput
        ref={input}
        accept={accept}
        aria-label={label}
        onChange={({ target }) => {
          const chosen = target.files?.[0]
          if (chosen) onChoose(chosen)
          // The same file can be chosen again after it was copied anew.
          target.value = ''
        }}
      />
      <span style={{ overflowWrap: 'anywhere' }}>{file?.name}</span>
    </div>
  )
}
