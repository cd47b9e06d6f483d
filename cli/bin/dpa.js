#!/usr/bin/env node
// Committed, not built: npm links a workspace's bin only when its target exists at install time.
// The bundle, because loading a hundred modules one by one takes longer than judging a small plan.
import '../../dist/cli/bundle/main.js';
