import Button from '@mui/material/Button'
import Paper from '@mui/material/Paper'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { plainText } from '../files/transfer/remotePath.ts'
import { useSharedFiles } from './useSharedFiles.ts'

interface SharedFilesProps {
  /** Uploads them into the open folder. @returns whether all have arrived */
  onUpload: (files: readonly File[]) => Promise<boolean>
}

/** In a file manager: what another app has shared with this one, to be uploaded into the folder that is open. */
export default function SharedFiles({ onUpload }: SharedFilesProps) {
  const translate = useTranslate()
  const { files, discard } = useSharedFiles()
  const [isBusy, setBusy] = useState(false)
  if (files.length === 0) return null
  const upload = async () => {
    setBusy(true)
    if (await onUpload(files.map(({ file }) => file))) await discard(files)
    setBusy(false)
  }
  return (
    <Paper
      variant="outlined"
      square
      sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, flex: 'none', padding: 1 }}
    >
      <span title={files.map(({ file }) => plainText(file.name)).join(', ')} style={{ flex: 1, minWidth: 120 }}>
        {translate('app.shared_files.counted', { smart_count: files.length })}
      </span>
      <Button size="small" disabled={isBusy} onClick={() => void discard(files)}>
        {translate('app.shared_files.discard')}
      </Button>
      <Button size="small" variant="contained" loading={isBusy} onClick={() => void upload()}>
        {translate('app.shared_files.upload')}
      </Button>
    </Paper>
  )
}
