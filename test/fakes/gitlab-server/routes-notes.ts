import { assertLevel, getMergeRequest } from './access.ts';
import { ApiError, type Call, createNotFound, paginate, type Reply, route } from './http.ts';
import { presentNote, presentUser } from './present.ts';
import { changeNote, createAward, createNote } from './records.ts';
import type { Note } from './types.ts';

/** GitLab's limit for notes and descriptions, in characters. */
const MAX_NOTE = 1_000_000;

function listNotes(call: Call): Reply {
  const { notes } = getMergeRequest(call);
  const sorted = call.query.get('sort') === 'asc' ? notes : notes.toReversed();
  return paginate(call, sorted, (note) => presentNote(call.state, note));
}

function getNote(call: Call): Note {
  const note = getMergeRequest(call).notes.find(({ id }) => String(id) === call.params['note_id']);
  if (note === undefined) throw createNotFound('Note');
  return note;
}

function readNoteBody({ body: { body }, state }: Call): string {
  if (typeof body !== 'string') throw new ApiError(400, { error: 'body is missing' });
  if (body.trim() === '') throw new ApiError(400, { message: '400 Bad request - Note {:note=>["can\'t be blank"]}' });
  if ([...body].length > MAX_NOTE) {
    const reason = '{:note=>["is too long (maximum is 1000000 characters)"]}';
    throw new ApiError(400, { message: `400 Bad request - Note ${reason}` });
  }
  if (state.spam?.test(body)) {
    const reason = '{:base=>["Your comment has been recognized as spam and has been discarded."]}';
    throw new ApiError(400, { message: `400 Bad request - Note ${reason}` });
  }
  return body;
}

function postNote(call: Call): Reply {
  const merge_request = getMergeRequest(call);
  assertLevel(call, merge_request.project, 10);
  const note = createNote(call.state, merge_request, call.user, readNoteBody(call));
  return { status: 201, body: presentNote(call.state, note) };
}

function putNote(call: Call): Reply {
  const note = getNote(call);
  if (note.author !== call.user) assertLevel(call, note.merge_request.project, 40);
  changeNote(note, readNoteBody(call));
  return { status: 200, body: presentNote(call.state, note) };
}

function deleteNote(call: Call): Reply {
  const note = getNote(call);
  if (note.author !== call.user) assertLevel(call, note.merge_request.project, 40);
  note.merge_request.notes.splice(note.merge_request.notes.indexOf(note), 1);
  return { status: 204 };
}

function postAward(call: Call): Reply {
  const note = getNote(call);
  const name = String(call.body['name'] ?? call.query.get('name') ?? '');
  if (note.awards.some((award) => award.name === name && award.user === call.user)) {
    throw createNotFound('Award Emoji Name has already been taken');
  }
  const { id } = createAward(note, call.user, name);
  return { status: 201, body: { id, name, user: presentUser(call.state, call.user), awardable_type: 'Note' } };
}

const NOTES = 'projects/:id/merge_requests/:iid/notes';

export const NOTE_ROUTES = [
  route('GET', NOTES, listNotes),
  route('POST', NOTES, postNote),
  route('GET', `${NOTES}/:note_id`, (call) => ({ status: 200, body: presentNote(call.state, getNote(call)) })),
  route('PUT', `${NOTES}/:note_id`, putNote),
  route('DELETE', `${NOTES}/:note_id`, deleteNote),
  route('POST', `${NOTES}/:note_id/award_emoji`, postAward),
  route('GET', `${NOTES}/:note_id/award_emoji`, (call) =>
    paginate(call, getNote(call).awards, ({ id, name, user }) => ({ id, name, user: presentUser(call.state, user) })),
  ),
];
