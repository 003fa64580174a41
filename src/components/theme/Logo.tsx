/** The logo, a ship's wheel, in the colour of the surrounding text. Decorative: the name is beside it. */
export function Logo({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="none" stroke="currentColor" aria-hidden="true">
      <g strokeWidth="2.4" strokeLinecap="round">
        <circle cx="16" cy="16" r="8.6" />
        <path d="M16 2v7M16 23v7M2 16h7M23 16h7M6.1 6.1l4.6 4.6M21.3 21.3l4.6 4.6M25.9 6.1l-4.6 4.6M10.7 21.3l-4.6 4.6" />
      </g>
      <circle cx="16" cy="16" r="3" fill="currentColor" stroke="none" />
    </svg>
  )
}
