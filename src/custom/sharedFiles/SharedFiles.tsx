import Button from '@mui/material/Button'
import Paper from '@mui/material/Paper'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { useToast } from '../../engine/parts/ActionDialog.tsx'
import { currentAccount } from '../../session/currentUser.ts'
import { discardShared, type SharedFile, sharedFiles } from '../../storage/sharedFiles.ts'
import { plainText } from '../files/transfer/remotePath.ts'

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

const none: readonly SharedFile[] = []

const queryKey = ['shared-files']

async function read(): Promise<readonly SharedFile[]> {
  const account = currentAccount()
  return account === undefined ? none : sharedFiles(account)
}

/** The files that other apps have shared with the installed console, until they are uploaded or discarded. */
export function useSharedFiles() {
  const { showError } = useToast()
  const queryClient = useQueryClient()
  const { data = none, isPending } = useQuery({ queryKey, queryFn: read, gcTime: 0, retry: false })
  return {
    files: data,
    isPending,
    /** Removes these; the others stay, such as those that were shared while these were uploaded. */
    async discard(some: readonly SharedFile[]): Promise<void> {
      try {
        await discardShared(some)
      } catch (error) {
        showError(error)
      }
      await queryClient.invalidateQueries({ queryKey })
    },
  }
}
