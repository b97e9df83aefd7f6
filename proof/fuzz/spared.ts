import type { FuzzWorld } from './world.ts'

/** Whom a request is turned to, as far as it matters here. */
interface Turned {
  call: string
  method: string
  token: string | undefined
  params: Record<string, string>
}

const aboutUser = /^PUT \/admin\/users\/:id\/(?:password|role|blocked)$/

/**
 * Calls that end their caller, or another caller, and so the run's way in. Each is still sent, mutated like any other,
 * but by or at a bystander:
 * | call | why |
 * | POST /auth/logout | ends the session that it is sent with |
 * | PUT /profile/password | ends every session of the user |
 * | PUT /admin/users/:id/password, role, blocked | ends every session of the user, or what the user may do |
 * Whatever ends a caller all the same makes the run go on in a new world.
 */
export async function spare(draft: Turned, world: FuzzWorld): Promise<void> {
  const endsItself = draft.call === 'POST /auth/logout' || draft.call === 'PUT /profile/password'
  if (endsItself && draft.token !== undefined) draft.token = await world.spareToken()
  if (!aboutUser.test(draft.call)) return
  const isSomebody = world.ids.map(String).includes(draft.params.id ?? '')
  if (isSomebody) draft.params.id = String(world.bystander.id)
}
