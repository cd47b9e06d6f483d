import express, { type Request, type Response } from 'express';
import { homePage, homeRecord, type ServiceFacts } from '../../pages/home-page.ts';
import { pageAnswer } from '../reply/reply.ts';
import type { Answer } from '../request/exchange.ts';

export interface PagesDeps {
  facts: ServiceFacts;
  /** Handles `/results/{id}`. */
  openResult(req: Request, res: Response): Promise<Answer>;
  /** Handles `/github/return`. */
  githubReturn(req: Request): Answer;
  /** Handles `/slack/return`. */
  slackReturn(req: Request): Answer;
  send(req: Request, res: Response, answer: Answer): void;
}

/**
 * The pages for people, outside of the API and its contract: the root, results linked from pull requests, and the pages
 * after a return from GitHub or Slack. All other paths respond as the contract says.
 */
export function pageRoutes({ facts, openResult, githubReturn, slackReturn, send }: PagesDeps) {
  const routes = express.Router({ caseSensitive: true, strict: true });
  const page = pageAnswer(200, homePage(facts));
  const record: Answer = {
    status: 200,
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    body: JSON.stringify(homeRecord(facts)),
  };

  const openNamed = async (req: Request, res: Response) => {
    res.locals['operation_id'] = 'result_page';
    send(req, res, await openResult(req, res));
  };

  routes.get('/', (req, res) => {
    res.vary('Accept');
    // A program that accepts anything gets JSON.
    send(req, res, req.accepts(['json', 'html']) === 'html' ? page : record);
  });
  routes.get('/results/:id', openNamed).post('/results/:id', openNamed);
  routes.get('/github/return', (req, res) => send(req, res, githubReturn(req)));
  routes.get('/slack/return', (req, res) => send(req, res, slackReturn(req)));
  return routes;
}
