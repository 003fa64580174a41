import { LineIcon } from '../engine/parts/LineIcon.tsx'

export const CopyIcon = () => (
  <LineIcon>
    <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
    <path d="M10.5 5.5V4A1.5 1.5 0 0 0 9 2.5H4A1.5 1.5 0 0 0 2.5 4v5A1.5 1.5 0 0 0 4 10.5h1.5" />
  </LineIcon>
)

export const CheckIcon = () => (
  <LineIcon>
    <path d="M3 8.5 6.5 12 13 4.5" />
  </LineIcon>
)

export const PrivateIcon = () => (
  <LineIcon>
    <rect x="3" y="7" width="10" height="6.5" rx="1.5" />
    <path d="M5 7V5a3 3 0 0 1 6 0v2" />
  </LineIcon>
)

export const PublicIcon = () => (
  <LineIcon>
    <circle cx="8" cy="8" r="5.5" />
    <path d="M2.5 8h11M8 2.5c4 3.6 4 7.4 0 11-4-3.6-4-7.4 0-11" />
  </LineIcon>
)

export const TerminalIcon = () => (
  <LineIcon>
    <rect x="1.5" y="2.5" width="13" height="11" rx="1.5" />
    <path d="m4.5 6 2.25 2L4.5 10M8.5 10.5h3" />
  </LineIcon>
)
