import { LineIcon } from '../../../engine/parts/LineIcon.tsx'

export const FolderIcon = () => (
  <LineIcon>
    <path d="M1.5 4.5v8a1 1 0 0 0 1 1h11a1 1 0 0 0 1-1V6a1 1 0 0 0-1-1H8L6.5 3H2.5a1 1 0 0 0-1 1.5z" />
  </LineIcon>
)

export const FileIcon = () => (
  <LineIcon>
    <path d="M9 1.5H4a1 1 0 0 0-1 1v11a1 1 0 0 0 1 1h8a1 1 0 0 0 1-1V5.5zM9 1.5v4h4" />
  </LineIcon>
)

export const DownloadIcon = () => (
  <LineIcon>
    <path d="M8 2v8.5M4.5 7.5 8 11l3.5-3.5M2.5 13.5h11" />
  </LineIcon>
)
