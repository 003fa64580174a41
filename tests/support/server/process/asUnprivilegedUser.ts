/** A user with no rights of its own; any number without a meaning would do. */
const nobody = 65534

/** Does something with the rights of an ordinary user: root may do everything, so nothing could be refused. */
export async function asUnprivilegedUser<T>(act: () => Promise<T>): Promise<T> {
  const { getuid, seteuid, setegid } = process
  if (getuid?.() !== 0 || !seteuid || !setegid) return act()
  setegid(nobody)
  seteuid(nobody)
  try {
    return await act()
  } finally {
    seteuid(0)
    setegid(0)
  }
}
